/** The list of strategies. */
package dev.stowage.plan.strategy;
