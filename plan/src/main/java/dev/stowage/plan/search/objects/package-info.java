/** The searches for the smallest shared objects. */
package dev.stowage.plan.search.objects;
