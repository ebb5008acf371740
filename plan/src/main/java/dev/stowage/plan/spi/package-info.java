/** The interfaces of planners. Implement one of them to add an algorithm. */
package dev.stowage.plan.spi;
