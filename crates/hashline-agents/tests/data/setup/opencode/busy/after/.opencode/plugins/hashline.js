@asset opencode/hashline.js
