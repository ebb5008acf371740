/** The search for the smallest arena of one part of a problem. */
package dev.stowage.core.plan.search.offsets;
