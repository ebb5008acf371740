package dev.stowage.fleet.flink;

import java.io.Serializable;
import java.util.Locale;
import org.apache.flink.api.connector.source.SourceSplit;

/**
 * Consecutive lines of the file of items, which one subtask runs and commits as a whole.
 *
 * @param number the position of the batch in the plan, from 0
 * @param firstByte the offset of the first line in the file
 * @param endByte the offset after the last line
 * @param itemCount the number of lines
 */
public record Batch(int number, long firstByte, long endByte, int itemCount)
    implements SourceSplit, Serializable {

  @Override
  public String splitId() {
    return String.format(Locale.ROOT, "part-%08d-%d", number, itemCount);
  }
}
