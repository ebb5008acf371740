/**
 * The pairs of records that must not share memory, for problems with a {@link
 * dev.stowage.core.plan.ReuseGraph}.
 */
package dev.stowage.core.plan.conflict;
