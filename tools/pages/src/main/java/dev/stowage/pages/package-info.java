/**
 * Pages in HTML and drawings in SVG, which work without a network and other files.
 *
 * <p>Java writes the HTML of a {@link Page}: an answer, {@link PageTable}s and pictures, one {@link
 * PagePart} after the other. Scripts only copy lines and show maps.
 *
 * <p>{@link PlanMap} and {@link ReplayMap} are maps. Its data are columns of numbers, as compressed
 * JSON ({@code data.js}). {@code plan.js} and {@code replay.js} make a model of the data: records
 * with bytes, lifetimes and addresses. All other scripts depend only on the model. {@code
 * explorer.js} assembles the state ({@code model.js}), the painted view ({@code view.js}), the
 * pointer and the keys ({@code pointer.js}), and the panels ({@code panels.js}) with their tables
 * ({@code table.js}).
 *
 * <p>The boxes of the map are painted one by one, the largest first ({@code boxes.js}). 200,000 of
 * them take some tenths of a second.
 */
package dev.stowage.pages;
