/**
 * Plans of inputs in several banks, and their reports and files.
 *
 * <p>{@link BankRunner} makes a plan and checks it, as {@code plan.PlanRunner} does for one memory.
 */
package dev.stowage.cli.banks;
