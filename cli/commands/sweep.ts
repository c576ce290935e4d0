import { type Command } from 'commander';
import { registerControl } from './sweep-control';
import { registerList } from './sweep-list';
import { registerPlan } from './sweep-plan';
import { registerRun } from './sweep-run';
import { registerStatus } from './sweep-status';

export function register(program: Command): void {
  const sweep = program.command('sweep').description('Plan, launch, watch and steer sweeps.');
  registerPlan(sweep);
  registerRun(sweep);
  registerList(sweep);
  registerStatus(sweep);
  registerControl(sweep);
}
