/**
 * Files of results, each written completely or not at all ({@link WholeFile}).
 *
 * <p>A {@link ReportFile} writes a report: the best plan, or a page. With several inputs, a {@link
 * PlanReportFile} or {@link ReplayReportFile} writes a page input by input.
 */
package dev.stowage.cli.output;
