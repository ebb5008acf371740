/** Searches for orders of operators with small loads. */
package dev.stowage.core.plan.search.orders;
