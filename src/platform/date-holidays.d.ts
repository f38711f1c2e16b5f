/** date-holidays and what it needs in one file, which `npm run build` makes (`tools/bundle-holidays.ts`). */
declare module '#date-holidays' {
  export { default } from 'date-holidays';
}
