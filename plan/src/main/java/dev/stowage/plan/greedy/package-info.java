/**
 * The strategies of TensorFlow Lite and TensorFlow Lite Micro.
 *
 * <p>The results equal the results of the reference programs, including ties. The costs differ,
 * because of these structures:
 *
 * <ul>
 *   <li>{@link AssignedObjects} has the objects in use during a lifetime, instead of a test of
 *       every object against every record.
 *   <li>{@link SizeDistanceObjects} keeps the best objects of {@link SimilarRecords} only. It finds
 *       the best objects of other records by an {@link ObjectHistory}, instead of a matrix of
 *       records by objects. {@link FreeObjects} finds the nearest object by the gaps of all
 *       objects.
 *   <li>{@link MinCostFlow} derives the edges from the order of the records, instead of listing
 *       all. {@link FlowDistances} finds the edges that shorten a path. Between flows of equal
 *       cost, the order of the shortened paths decides, including paths that the search replaces
 *       later. Searches with priorities or potentials visit fewer edges, but can return other
 *       flows.
 *   <li>{@link UnassignedRecords} finds the records that are live at a task, instead of a walk over
 *       all records.
 * </ul>
 *
 * <p>The structures for offsets are in the package {@code fit}, the structures for time in {@code
 * time}.
 */
package dev.stowage.plan.greedy;
