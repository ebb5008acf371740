package dev.stowage.cli.tune;

/**
 * The arena of a plan that knows all lifetimes of a trace in advance.
 *
 * @param bytes the bytes of the smallest plan that the search found
 * @param boundBytes a proved lower bound
 * @param isCut true if time or a signal ended the search; the result then depends on the speed of
 *     the machine
 */
public record Hindsight(long bytes, long boundBytes, boolean isCut) {}
