/**
 * Searches for the smallest arena and the smallest shared objects, with a lower bound that they
 * prove.
 */
package dev.stowage.core.plan.search;
