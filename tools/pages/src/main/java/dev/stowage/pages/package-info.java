/**
 * Pages in HTML and drawings in SVG, which work without a network and other files.
 *
 * <p>A {@link Page} is HTML that Java writes, and that needs no scripts: an answer, figures, {@link
 * FigureTable}s and {@link PagePicture}s, which are drawings in SVG with a tooltip for each point.
 * {@link FiguresPage} adds them one by one, and a {@link ReportPage} has a page for each of several
 * inputs behind an index. Scripts only sort tables, copy lines, and show maps.
 *
 * <p>{@link PlanPage} and {@link ReplayPage} have a map, for which alone a page has data: columns
 * of numbers, as compressed JSON ({@code data.js}). Their scripts make a model of it ({@code
 * plan.js}, {@code replay.js}): records with bytes, lifetimes and addresses. All other scripts
 * depend only on the model. {@code explorer.js} assembles a state ({@code model.js}), a view that
 * paints it ({@code view.js}), what acts on it ({@code pointer.js}), and panels, all of which are
 * tables of records or groups ({@code table.js}).
 *
 * <p>The boxes of the map are painted one by one, the largest first ({@code boxes.js}). 200,000 of
 * them take some tenths of a second.
 */
package dev.stowage.pages;
