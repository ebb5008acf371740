package dev.stowage.cli;

import dev.stowage.cli.text.ProductVersion;
import picocli.CommandLine.IVersionProvider;

/** The version in the jar's manifest. */
final class Version implements IVersionProvider {

  @Override
  public String[] getVersion() {
    return new String[] {"stowage " + ProductVersion.find().orElse("(not packaged)")};
  }
}
