/**
 * The search for layouts that are valid for all shapes of a range.
 *
 * <h2>For maintainers</h2>
 *
 * <p>{@link LayoutSearch} scores orders of records over many shapes at once: those of the best
 * plans of single shapes ({@link ShapePlans}), and those of a local search ({@link
 * OrderImprovement}). {@link RecordStack} has the records that each record of an order rests on,
 * for all sizes, instead of a walk over the tasks of all records for each shape. {@link
 * BucketSearch} divides the shapes ({@link BucketBorders}) and finds an order for each part.
 */
package dev.stowage.plan.shapes.search;
