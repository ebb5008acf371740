/** The searches for the smallest arena of a partition of a problem. */
package dev.stowage.plan.search.offsets;
