import { type OperatorProtocol } from '../core/account';

/** Where a vendor's API usually is, and the variable that its documentation keeps the key in. */
export interface AccountPreset {
  readonly protocol: OperatorProtocol;
  readonly baseUrl: string;
  readonly keyEnv: string;
}

/** By the account names that the catalog uses: each vendor's platform whose prices the catalog has. */
export const ACCOUNT_PRESETS: Readonly<Record<string, AccountPreset>> = {
  anthropic: {
    protocol: 'anthropic',
    baseUrl: 'https://api.anthropic.com/v1',
    keyEnv: 'ANTHROPIC_API_KEY',
  },
  ark: {
    protocol: 'openai',
    baseUrl: 'https://ark.cn-beijing.volces.com/api/v3',
    keyEnv: 'ARK_API_KEY',
  },
  byteplus: {
    protocol: 'openai',
    baseUrl: 'https://ark.ap-southeast.bytepluses.com/api/v3',
    keyEnv: 'BYTEPLUS_API_KEY',
  },
  dashscope: {
    protocol: 'openai',
    baseUrl: 'https://dashscope-intl.aliyuncs.com/compatible-mode/v1',
    keyEnv: 'DASHSCOPE_API_KEY',
  },
  deepseek: {
    protocol: 'openai',
    baseUrl: 'https://api.deepseek.com/v1',
    keyEnv: 'DEEPSEEK_API_KEY',
  },
  gemini: {
    protocol: 'openai',
    baseUrl: 'https://generativelanguage.googleapis.com/v1beta/openai',
    keyEnv: 'GEMINI_API_KEY',
  },
  moonshot: {
    protocol: 'openai',
    baseUrl: 'https://api.moonshot.ai/v1',
    keyEnv: 'MOONSHOT_API_KEY',
  },
  openai: {
    protocol: 'openai-responses',
    baseUrl: 'https://api.openai.com/v1',
    keyEnv: 'OPENAI_API_KEY',
  },
  zai: { protocol: 'openai', baseUrl: 'https://api.z.ai/api/paas/v4', keyEnv: 'ZAI_API_KEY' },
};
