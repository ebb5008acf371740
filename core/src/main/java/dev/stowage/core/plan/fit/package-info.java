/** Free space between placed records, orders of records, and fits of one record after the other. */
package dev.stowage.core.plan.fit;
