package dev.stowage.cli.run;

import dev.stowage.cli.plan.Interruption;
import dev.stowage.cli.report.AnswerPrinter;
import java.io.InputStream;
import java.util.concurrent.Callable;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/** A command that works on inputs. The root command has the streams and signals of the process. */
public abstract class InputCommand implements Callable<Integer> {

  @Spec protected CommandSpec spec;

  /** The process, which the root command knows. */
  public interface Session {

    /** {@return the standard input} */
    InputStream in();

    /** {@return the signals} */
    Interruption interruption();
  }

  private Session session() {
    return (Session) spec.root().userObject();
  }

  protected final InputStream in() {
    return session().in();
  }

  protected final Interruption interruption() {
    return session().interruption();
  }

  /**
   * {@return a run of the command on its inputs}
   *
   * @param doing the work in the progress bar, such as {@code Checking}
   * @param done the participle for an input in messages, such as {@code checked}
   */
  protected final InputRun newRun(AnswerPrinter printer, String doing, String done) {
    return new InputRun(spec, interruption(), printer, doing, done);
  }
}
