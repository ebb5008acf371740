package dev.stowage.cli;

import dev.stowage.cli.text.ProductVersion;
import dev.stowage.console.ExitCode;
import java.io.BufferedOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.EOFException;
import java.io.FileDescriptor;
import java.io.FileInputStream;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.charset.StandardCharsets;
import java.util.Locale;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;

/**
 * A process that runs commands for another process, one after the other.
 *
 * <p>{@code stowage sweep} starts it. A command has the same results as in a process of its own.
 */
public final class Worker {

  /*
   * The messages are big-endian. A text has the number of its bytes in UTF-8 (4 bytes) in front.
   *
   *   greeting   MAGIC (4 bytes), version of Stowage (text)
   *   request    number of arguments (4 bytes), the arguments (texts)
   *   answer     exit code (4 bytes), standard output (text), standard error (text)
   *
   * Requests arrive at the standard input. Greeting and answers are written to a file of their own,
   * such as /dev/fd/3, because a native library may print to the standard output.
   *
   * The worker ends when the standard input ends, also while a command runs: its user has ended.
   */

  /** The first four bytes of the greeting: "STW1". */
  static final int MAGIC = 0x53545731;

  private final DataInputStream requests;
  private final DataOutputStream answers;
  private final BlockingQueue<String[]> received = new LinkedBlockingQueue<>();

  private Worker(InputStream requests, OutputStream answers) {
    this.requests = new DataInputStream(requests);
    this.answers = new DataOutputStream(new BufferedOutputStream(answers));
  }

  /**
   * Runs the commands of the standard input.
   *
   * @param args the file to which the answers are written
   * @throws IOException if the answers cannot be written
   * @throws InterruptedException never, because no thread interrupts this one
   */
  public static void main(String[] args) throws IOException, InterruptedException {
    if (args.length != 1) {
      System.err.println("stowage: a worker is started by stowage sweep, with a file for answers");
      System.exit(ExitCode.USAGE);
    }
    Locale.setDefault(Locale.ROOT);
    Worker worker =
        new Worker(new FileInputStream(FileDescriptor.in), new FileOutputStream(args[0]));
    Thread reader =
        Thread.ofPlatform().daemon().name("stowage-requests").unstarted(worker::readAll);
    worker.greet();
    reader.start();
    worker.answerAll();
  }

  private void greet() throws IOException {
    answers.writeInt(MAGIC);
    write(ProductVersion.find().orElse(""));
    answers.flush();
  }

  /** Reads requests; the end of the input ends the process. */
  private void readAll() {
    try {
      while (true) {
        int count = requests.readInt();
        String[] arguments = new String[count];
        for (int i = 0; i < count; i++) {
          byte[] text = requests.readNBytes(requests.readInt());
          arguments[i] = new String(text, StandardCharsets.UTF_8);
        }
        received.add(arguments);
      }
    } catch (EOFException e) {
      Runtime.getRuntime().halt(ExitCode.DONE);
    } catch (IOException e) {
      Runtime.getRuntime().halt(ExitCode.FAILED);
    }
  }

  private void answerAll() throws IOException, InterruptedException {
    while (true) {
      String[] arguments = received.take();
      StringWriter out = new StringWriter();
      StringWriter err = new StringWriter();
      int exitCode = new Program(new PrintWriter(out), new PrintWriter(err)).run(arguments);
      answers.writeInt(exitCode);
      write(out.toString());
      write(err.toString());
      answers.flush();
    }
  }

  private void write(String text) throws IOException {
    byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
    answers.writeInt(bytes.length);
    answers.write(bytes);
  }
}
