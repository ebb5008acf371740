/**
 * The history of a replay, with the data that a page shows.
 *
 * <p>A {@link HistoryRecorder} keeps the curves and the parts of the reserved memory in bounded
 * memory ({@link Steps}), and the chunks that a page draws.
 */
package dev.stowage.pages.history;
