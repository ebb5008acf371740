/**
 * The independent check of plans, which shares no code with the planners.
 *
 * <p>The package depends only on records and on {@code violations}, which finds overlaps.
 */
package dev.stowage.plan.check;
