/** The list of strategies. */
package dev.stowage.core.plan.strategy;
