/**
 * Plans of inputs in several banks, and their reports and files.
 *
 * <p>{@link BankRunner} runs the strategies and checks every plan, as {@code plan.PlanRunner} does
 * for one memory. {@link BankFigures} are the figures for a baseline.
 */
package dev.stowage.cli.banks;
