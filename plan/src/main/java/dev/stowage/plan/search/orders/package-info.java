/** Searches for orders of operators with small loads. */
package dev.stowage.plan.search.orders;
