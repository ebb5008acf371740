/**
 * The searches for the smallest shared objects.
 *
 * <ul>
 *   <li>{@link ObjectSweep} tries all choices from task to task. It is exact if few records are
 *       live at the same time.
 *   <li>{@link ObjectEjection} makes the objects of a plan smaller, one at a time, over {@link
 *       ObjectMembers}.
 *   <li>{@link SizeSearch} decides only the size of the object of each record: a size needs as many
 *       objects as records of that size are live at the same time. {@link SizeGame} solves the
 *       linear relaxation of this problem as a game of two players, because a step of the game
 *       costs little more than one visit to each choice. {@link SizeBounds} turns the weights of
 *       the game into an exact bound, and closes choices that no smaller plan has. {@link SizeDive}
 *       fixes more and more sizes until a plan or a contradiction is left.
 * </ul>
 *
 * <p>{@code search.LifetimeObjects} runs them in turn.
 */
package dev.stowage.plan.search.objects;
