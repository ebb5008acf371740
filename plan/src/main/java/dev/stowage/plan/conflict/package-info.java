/**
 * The pairs of records that must not share memory, for problems with a {@link
 * dev.stowage.plan.ReuseGraph}.
 */
package dev.stowage.plan.conflict;
