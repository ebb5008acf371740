/**
 * The history of a replay for a page.
 *
 * <p>A {@link HistoryRecorder} keeps the chunks of the map, and the curves and parts of the
 * reserved memory as {@link Steps}, all in bounded memory.
 */
package dev.stowage.pages.history;
