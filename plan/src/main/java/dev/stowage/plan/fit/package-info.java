/**
 * Free space between placed records, orders of records, and fits that place them one by one.
 *
 * <p>The structures take the place of a walk over all records placed before:
 *
 * <ul>
 *   <li>{@link OccupancyIndex} finds the gaps for a lifetime. It starts with {@link
 *       OffsetRangesTree}, which has few ranges if records touch, and changes to {@link
 *       PlacedLists} if a lifetime meets few others, or to {@link FreeRectangles} if the sets
 *       become slow.
 *   <li>{@link FreeRectangles} keeps the maximal free rectangles of tasks and bytes, about two for
 *       each record, in a {@link RectangleTree}.
 *   <li>{@link SkylineFit} finds the next record on top of the records placed before, for any
 *       number of live records. Its parts are {@link Skyline}, {@link UnplacedRecords} and {@link
 *       RankLoad}.
 * </ul>
 */
package dev.stowage.plan.fit;
