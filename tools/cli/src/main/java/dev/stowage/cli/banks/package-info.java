/** Plans of inputs in several banks, and their reports and files. */
package dev.stowage.cli.banks;
