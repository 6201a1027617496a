@asset pi/hashline.ts
