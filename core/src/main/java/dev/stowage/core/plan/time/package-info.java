/** Tasks as array indices, and sums and maximums over tasks. */
package dev.stowage.core.plan.time;
