/** Alignments, sorting, bit matrices and step counters, for all other packages of the planner. */
package dev.stowage.plan.base;
