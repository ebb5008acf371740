/** Budgets of native memory as functions of dimensions, sessions and threads. */
package dev.stowage.budget;
