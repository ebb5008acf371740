/**
 * Reports as tables, JSON and CSV. {@link ReportFormats} lists the formats. A format prints a
 * report and decides nothing.
 */
package dev.stowage.cli.report;
