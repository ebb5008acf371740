/**
 * Files of results, each written completely or not at all ({@link WholeFile}).
 *
 * <p>A {@link ReportFile} writes a report: the best plan, or a page.
 */
package dev.stowage.cli.output;
