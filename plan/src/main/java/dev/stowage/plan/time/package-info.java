/** Ranks of tasks, and quantities computed over all tasks, such as the load. */
package dev.stowage.plan.time;
