/**
 * Arithmetic, sorting, bit matrices and the counting of steps, for all other packages of the
 * planner.
 */
package dev.stowage.core.plan.base;
