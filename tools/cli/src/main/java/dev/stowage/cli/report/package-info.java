/**
 * Answers of commands. A class such as {@link DiffAnswer} makes an {@link Answer} from the report
 * of a runner. An answer has fields for programs, and tables and lines for people. {@link
 * AnswerPrinter} prints answers for the terminal, as JSON or as CSV, and {@link Figure} formats
 * each unit in one way.
 */
package dev.stowage.cli.report;
