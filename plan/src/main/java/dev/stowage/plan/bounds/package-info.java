/** Lower bounds of plans, and explanations if records do not fit into a capacity. */
package dev.stowage.plan.bounds;
