/** Lower bounds of the memory that any plan takes. */
package dev.stowage.plan.bounds;
