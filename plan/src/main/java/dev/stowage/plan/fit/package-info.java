/** Free space between placed records, orders of records, and fits that place them one by one. */
package dev.stowage.plan.fit;
