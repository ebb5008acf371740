/** Lower bounds, and explanations of why records do not fit into a capacity. */
package dev.stowage.core.plan.bounds;
