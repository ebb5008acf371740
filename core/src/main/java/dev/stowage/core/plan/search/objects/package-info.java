/** The searches for the smallest shared objects. */
package dev.stowage.core.plan.search.objects;
