/**
 * The strategies of TensorFlow Lite and TensorFlow Lite Micro.
 *
 * <p>The results equal those of the reference programs, including ties. The costs differ, because
 * of these structures:
 *
 * <ul>
 *   <li>{@link AssignedObjects} has the objects in use during a lifetime, instead of a test of
 *       every object against every record.
 *   <li>{@link SizeDistanceObjects} keeps the best objects of {@link SimilarRecords} only, and
 *       finds those of others by an {@link ObjectHistory}, instead of a matrix of records by
 *       objects. {@link FreeObjects} finds the nearest object by the gaps of all objects.
 *   <li>{@link MinCostFlow} derives the edges from the order of the records, instead of listing
 *       all, and {@link FlowDistances} finds those that shorten a path. The order in which a search
 *       shortens paths, also paths that it replaces later, decides between flows of equal cost.
 *       Searches with priorities or potentials visit fewer edges, but can return other flows.
 *   <li>{@link UnassignedRecords} finds the records that are live at a task, instead of a walk over
 *       all records.
 * </ul>
 *
 * <p>The structures for offsets are in the package {@code fit}, those for time in {@code time}.
 */
package dev.stowage.plan.greedy;
