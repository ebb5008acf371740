package dev.stowage.cli.run;

import dev.stowage.pages.text.Text;

/** The progress bars of the files of a command, such as {@code Planning 2 of 5}. */
public final class FileProgress {

  private final String work;
  private final int fileCount;
  private final long startNanos = System.nanoTime();

  /**
   * Creates the bars of a command that begins.
   *
   * @param work the name of the work
   * @param fileCount the number of files
   */
  public FileProgress(String work, int fileCount) {
    this.work = work;
    this.fileCount = fileCount;
  }

  /**
   * {@return the bar of a file}
   *
   * @param index the number of files before it
   * @param stepCount the number of steps of the work; -1 if it is not known
   */
  public TerminalProgress of(int index, int stepCount) {
    String label = fileCount == 1 ? work : Text.of("%s %d of %d", work, index + 1, fileCount);
    return new TerminalProgress(label, stepCount, (System.nanoTime() - startNanos) / 1_000_000);
  }
}
