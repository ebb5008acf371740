/**
 * Pages in HTML and drawings in SVG, which work without a network and other files.
 *
 * <p>{@link PlanPage} and {@link ReplayPage} fill the same {@link PageTemplate}. Their scripts
 * define a model ({@code plan.js}, {@code replay.js}): records with bytes, lifetimes and addresses.
 * All other scripts depend only on this model. {@code explorer.js} assembles a page from a state
 * ({@code store.js}), a view that paints it ({@code view.js}), the navigation ({@code pointer.js})
 * and panels. For several inputs, a {@link ReportPage} has a {@link PagePart} for each, and the
 * index as a {@link FigureTable}. The pages of {@code tune}, {@code diff} and {@code budget} are
 * {@link FiguresPage}s of the same tables.
 *
 * <ul>
 *   <li>Pages write the rectangles of the map into an image themselves ({@code raster.js}), with
 *       the record at each pixel. A million rectangles take less than 0.1 s. Apache ECharts took
 *       seconds for 60,000 shapes of its own, a second for each zoom of the curves, and 1 MB in
 *       each page only to draw axes.
 *   <li>D3's module d3-array (17 kB) computes round ticks and searches in columns. d3-scale with
 *       d3-zoom and their dependencies would add 110 kB, and uPlot 50 kB, without a map.
 *   <li>Pages contain columns, as differences of numbers in a compressed stream ({@code
 *       columns.js}), instead of JSON numbers. The browser decompresses them into typed arrays.
 * </ul>
 */
package dev.stowage.pages;
