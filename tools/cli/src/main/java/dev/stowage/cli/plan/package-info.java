/**
 * Plans of inputs by the requested strategies, and their explanations.
 *
 * <ul>
 *   <li>{@link PlanRunner} runs each strategy. The exact searches are the last ones and start from
 *       the best plan so far. Each search has the time limit of the user. An independent checker
 *       checks every plan.
 *   <li>{@link RangeRunner} compares a plan for ranges of dimensions with plans for parts of the
 *       shapes and for single shapes. The {@link RangeReport} becomes a part of the report.
 *   <li>{@link OrderRunner} searches for an order of the operators and plans it. The {@link
 *       OrderComparison} becomes a part of the report.
 *   <li>{@link ExplanationRun} adds a conflict of records, the peak, and the {@link OptionEffect}
 *       of each {@link Alternative}: the file read with the other choice of an option.
 *   <li>{@link PlanFigures} has the figures for a baseline.
 * </ul>
 */
package dev.stowage.cli.plan;
