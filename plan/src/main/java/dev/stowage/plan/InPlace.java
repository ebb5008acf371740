package dev.stowage.plan;

/**
 * A permission: a record may take over the bytes of another record that ends at its first task.
 *
 * <p>Both records are live at that task. With the permission, they may share bytes there, but only
 * as the whole record at exactly the offset of its source. {@link PlanProblem#withInPlace} lists
 * the conditions.
 *
 * @param record the index of the record that may take over bytes
 * @param source the index of its source: the record with the bytes to take over
 */
public record InPlace(int record, int source) {}
